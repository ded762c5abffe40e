"""Read and write files of flows, in the format that the suffix says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from undercroft import limits
from undercroft.core.flow import Flow
from undercroft.errors import BadInput, unknown_name_error
from undercroft.flows.source import FlowSource
from undercroft.inputs import files
from undercroft.inputs.arguments import require_name, require_path
from undercroft.inputs.lines import decode_utf8

FLOW_SUFFIXES = {".flow": "flow", ".dot": "dot", ".gv": "dot", ".graphml": "graphml"}
FLOW_READERS = ("flow", "dot", "graphml", "edges")
FLOW_WRITERS = ("flow", "dot", "graphml")


def detect_flow_format(path: str | Path, name: str | None, known: tuple[str, ...]) -> str:
    """The format of a file of a flow: the one named, or that of its suffix."""
    require_path("path", path)
    if name is not None:
        require_name("format of flows", name, known)
        return name
    suffix = Path(path).suffix.casefold()
    if suffix not in FLOW_SUFFIXES:
        error = unknown_name_error("suffix", suffix, FLOW_SUFFIXES)
        error.problem = f"{path}: no file of a flow ends in {suffix!r}" if suffix else f"{path} has no suffix"
        raise error
    return FLOW_SUFFIXES[suffix]


def load_flow(path: str | Path, read_as: str | None = None) -> FlowSource:
    """The flow in a file, and where in it everything stands."""
    name = detect_flow_format(path, read_as, FLOW_READERS)
    limit = limits.FLOW_BYTES if name in ("flow", "edges") else limits.FLOW_GRAPH_BYTES
    return parse_flow_bytes(files.read_bytes(path, limit), name, str(path))


def parse_flow_bytes(data: bytes, name: str, file: str) -> FlowSource:
    """The flow in the bytes of a file of that format."""
    if name == "flow":
        from undercroft.flows.parse import parse_flow

        return parse_flow(decode_utf8(data, file, "save the flow as UTF-8"), file)
    readers: dict[str, Callable[[bytes, str], FlowSource]] = {}
    from undercroft.flows.dot import read_dot
    from undercroft.flows.edges import read_edges
    from undercroft.flows.graphml import read_graphml

    readers |= {"dot": read_dot, "graphml": read_graphml, "edges": read_edges}
    return readers[name](data, file)


def format_flow_bytes(flow: Flow, name: str) -> bytes:
    """The flow as the bytes of a file of that format."""
    from undercroft.flows.dot import write_dot
    from undercroft.flows.graphml import write_graphml
    from undercroft.flows.write import write_flow

    return {"flow": write_flow, "dot": write_dot, "graphml": write_graphml}[name](flow).encode()


def list_lost_flow_parts(flow: Flow, name: str) -> list[str]:
    """The parts of a flow that a file of that format does not hold."""
    there = {
        "apart": bool(flow.apart) and name != "flow",
        "how it grew": bool(flow.made),
        "where it is on a level": bool(flow.places),
    }
    return [part for part, is_there in there.items() if is_there]


def save_flow(flow: Flow, path: str | Path, name: str | None = None) -> None:
    """Write a flow to a file."""
    if isinstance(name, str) and name == "edges":
        raise BadInput("edge lists are only read", fix=f"write one of {', '.join(FLOW_WRITERS)}")
    files.write_file(path, format_flow_bytes(flow, detect_flow_format(path, name, FLOW_WRITERS)))
