"""What the two articles say that this part of the package goes back to, claim by claim, and the tests that hold us to
it.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent

TEMPLATES = {
    1: ("a room or a whole map is given as characters", "test_nine_pieces_of_five_by_five"),
    2: ("it is cut into all pieces of a size", "test_nine_pieces_of_five_by_five"),
    3: ("of any size", "test_slices_agree_with_a_slow_twin"),
    4: ("a room of 7x7 has nine of 5x5, row by row", "test_nine_pieces_of_five_by_five"),
    5: ("a piece as text is the key", "test_thirteen_tokens_of_three_by_three"),
    6: ("of a list of points, the top left or any other corner", "test_bounds_steps_and_corners"),
    7: ("several pieces look the same", "test_thirteen_tokens_of_three_by_three"),
    8: ("a reference is a condition on what is there", "test_the_pillar_fits_in_two_corners_only"),
    9: ("? in it is anything", "test_the_pillar_fits_in_two_corners_only"),
    10: ("all else must be equal", "test_matches_agree_with_the_engine"),
    11: ("a result is written but for its ?", "test_writing_stays_on_the_map"),
    12: ("both are turned three times", "test_the_pillar_fits_in_two_corners_only"),
    13: ("compared as one likes, by regular expressions too", "test_tokens_that_fit_lead_to_their_places"),
    14: ("what fits is known by its token, and its points by that", "test_tokens_that_fit_lead_to_their_places"),
    15: ("one place is chosen at random", "test_one_pillar_or_all"),
    16: ("or all are taken", "test_one_pillar_or_all"),
    17: ("without caring about overlap, or with care", "test_b17_who_cares_about_overlap_and_who_does_not"),
    18: ("the pillar fits slices 1 and 7", "test_b01_slices_are_computed_and_not_copied"),
    19: ("its three outcomes", "test_one_pillar_or_all"),
    20: ("items and monsters come by the same means", "test_things_come_by_the_same_means"),
    21: ("odd sizes are padded with ?", "test_padding_is_automatic_and_what_is_under_it_does_not_matter"),
    22: ("what is under the padding does not matter", "test_padding_is_automatic_and_what_is_under_it_does_not_matter"),
    23: ("nothing is read past the edge", "test_b07_nothing_reaches_over_the_edge"),
    24: ("two by four takes several paddings", "test_b15_paddings_are_one_pattern_in_every_place"),
    25: ("which can be made by themselves", "test_padding_is_automatic_and_what_is_under_it_does_not_matter"),
    26: ("mirroring", "test_any_shape_turns"),
    27: ("but not what is there already", "test_mirrors_that_look_the_same_count_once"),
    28: ("whole dungeons grow where nothing is yet", "test_so_many_rooms"),
    29: ("from a map of nothing", "test_the_start_may_land_anywhere"),
    30: ("by a first template", "test_the_start_may_land_anywhere"),
    31: ("that lands anywhere", "test_the_start_may_land_anywhere"),
    32: ("new rooms from doors", "test_so_many_rooms"),
    33: ("or from floor, for wide halls", "test_halls_grow_from_their_floor"),
    34: ("behind a door between walls, where six cells are free", "test_b14_patterns_need_no_padding"),
    35: ("door and footprint are all that matters", "test_b13_the_printed_layout_wants_a_looser_footprint"),
    36: ("snugly beside others, or outward", "test_b13_the_printed_layout_wants_a_looser_footprint"),
    37: ("so many rooms", "test_so_many_rooms"),
    38: ("or until nothing fits", "test_rooms_until_nothing_fits"),
    39: ("four of them, as printed", "test_b13_the_printed_layout_wants_a_looser_footprint"),
    40: ("doors to nothing are cleaned up", "test_the_clean_up_of_the_printed_map"),
    41: ("then all is connected", "test_b18_what_is_promised_is_measured"),
    42: ("sets of tiles", "test_b19_the_wishes_of_its_comments"),
    43: ("a map is a list of cells with a width", "test_nine_pieces_of_five_by_five"),
    44: ("its height need not be told", "test_b19_the_wishes_of_its_comments"),
    45: ("pieces need not be square", "test_slices_agree_with_a_slow_twin"),
    46: ("bounds where to begin", "test_bounds_steps_and_corners"),
    47: ("and where to end", "test_b08_a_bound_is_the_first_place_that_is_not_looked_at"),
    48: ("steps, counted from the least", "test_bounds_steps_and_corners"),
    49: ("a piece as large as the map is one", "test_bounds_steps_and_corners"),
    50: ("a quarter turn", "test_b02_any_shape_can_be_turned"),
    51: ("a template is four pairs, the first as drawn", "test_any_shape_turns"),
    52: ("of any shape, not only squares", "test_b02_any_shape_can_be_turned"),
    53: ("written at a point, ? left out", "test_b10_rows_are_whole_numbers"),
    54: ("one list of pieces, many references", "test_tokens_that_fit_lead_to_their_places"),
    55: ("shown", "test_b09_a_map_is_shown_whole"),
    56: ("in today's Python", "test_b10_rows_are_whole_numbers"),
    57: ("a first room in 15x15 with a door in each wall", "test_the_first_room"),
    58: ("twenty attempts", "test_twenty_attempts_some_of_which_fail"),
    59: ("some of which fail", "test_twenty_attempts_some_of_which_fail"),
    60: ("one result for all rooms; there may be several", "test_several_results"),
    61: ("so that they lie on a lattice", "test_a_thousand_seeds"),
    62: ("corners have four themes", "test_every_theme_is_there"),
    63: ("middles have two", "test_every_theme_is_there"),
    64: ("empty doors become wall, the others floor", "test_doors_become_wall_or_floor"),
    65: ("more runs of the themes make it richer", "test_every_theme_is_there"),
    66: ("on a map of 80x80", "test_twenty_attempts_some_of_which_fail"),
    67: ("an idea that came from another game", ""),
}
GRAMMARS = {
    1: ("rules that find and replace make a map richer", "test_every_corridor_leads_somewhere"),
    2: ("it begins in base.txt", "test_the_base_is_no_rule"),
    3: ("which is written like a rule", "test_every_kind_of_base"),
    4: ("but takes no flags", "test_every_kind_of_base"),
    5: ("a size, rows first", "test_every_row_of_the_table"),
    6: ("flags with commas, if any", "test_every_row_of_the_table"),
    7: ("R turns", "test_flags_add_up_in_their_order"),
    8: ("V mirrors", "test_flags_add_up_in_their_order"),
    9: ("H mirrors the other way", "test_flags_add_up_in_their_order"),
    10: ("and they add up", "test_flags_add_up_in_their_order"),
    11: ("every position weighs as a rule of its own", "test_weights"),
    12: ("a line with = follows", "test_every_row_of_the_table"),
    13: ("a weight behind it", "test_every_row_of_the_table"),
    14: ("which is 1 unless said", "test_every_row_of_the_table"),
    15: ("above the target it is the rule's", "test_weights"),
    16: ("above a result it is the result's", "test_weights"),
    17: ("the three headers that are shown", "test_the_headers_of_the_article"),
    18: ("five times as likely", "test_weights"),
    19: ("all rules of a folder are read", "test_a_folder_is_read_in_the_order_of_its_names"),
    20: ("the first grid is the target", "test_every_row_of_the_table"),
    21: ("= parts the grids", "test_every_row_of_the_table"),
    22: ("the others are results", "test_every_row_of_the_table"),
    23: ("of which there may be several", "test_weights"),
    24: ("equally likely unless said", "test_every_row_of_the_table"),
    25: ("the crossing, whichever way the corridor lies", "test_the_four_way_rule"),
    26: ("corridors, rooms, water, nothing", "test_what_the_tiles_are_for"),
    27: ("a second room that looks like the first", "test_what_the_tiles_are_for"),
    28: ("corners and crossings as on a number pad", "test_a_tile_turns_with_its_rule"),
    29: ("shown as box signs", "test_a_tile_turns_with_its_rule"),
    30: ("? in a target is anything", "test_a_cell_nobody_knows_fits_only_a_wildcard"),
    31: ("? in a result keeps what is there", "test_a_cell_nobody_knows_fits_only_a_wildcard"),
    32: ("150 steps", "test_steps_end_the_work"),
    33: ("a rule that fits nowhere gives way to another", "test_weights"),
    34: ("each of its places is as likely", "test_many_places_do_not_make_a_rule_likelier"),
    35: ("tiles turn with their rule", "test_a_tile_turns_with_its_rule"),
    36: ("the map is printed at the end", "test_the_four_way_rule_is_printed_with_box_signs"),
    37: ("it is told what could not be read", "test_a_bad_file_stops_a_strict_reader_and_is_left_out_by_a_lenient_one"),
}
DEFECTS = 19


def all_tests() -> set[str]:
    """The names of all tests about rewriting."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in HERE.rglob("test_*.py"))
    return {
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize(("claims", "count"), [(TEMPLATES, 67), (GRAMMARS, 37)])
def test_every_claim_has_its_test(claims: dict[int, tuple[str, str]], count: int) -> None:
    assert list(claims) == list(range(1, count + 1))
    assert {test for _, test in claims.values() if test} <= all_tests()
    assert [claim for claim, test in claims.values() if not test] in ([], ["an idea that came from another game"])


def test_every_defect_of_the_originals_has_its_test() -> None:
    found = sorted(name[:8] for name in all_tests() if name.startswith("test_b") and name[6:8].isdigit())
    assert found == [f"test_b{number:02}" for number in range(1, DEFECTS + 1)]
