"""Explore: the wall, its filters, the expressive range, and two levels side by side; each number on the page is held
against the library.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

import undercroft as uc
from studio_browser.views import await_count, await_value, until

CAVE = (40, 24)
MAZE = (21, 11)
MANY, RANGE = 48, 1200


@cache
def numbers(recipe: str, seed: int, size: tuple[int, int] | None) -> dict[str, Any]:
    """All measures of a level, as the library gives them."""
    return dict(uc.measure(uc.generate(recipe, seed=str(seed), size=size)))


def explore(
    page: Any, studio: Any, recipe: str = "cave", size: tuple[int, int] = CAVE, *, seed: int = 3, ranged: bool = False
) -> None:
    """Open Explore and wait for a wall that is made and sorted. The range is stopped if nobody looks at it."""
    studio.keep(view="explore")
    page.goto(f"{studio.address}&recipe={recipe}&seed={seed}&size={size[0]}x{size[1]}&style=plain")
    hung(page)
    if not ranged:
        page.keyboard.press("Escape")


def hung(page: Any) -> None:
    page.locator(".xp-wall[aria-busy=false] .xp-seed.there").first.wait_for()


def seeds(page: Any, more: str = "") -> list[int]:
    """Seeds in the order in which they hang."""
    return [
        int(seed)
        for seed in page.evaluate(f"[...document.querySelectorAll('.xp-seed{more}')].map((one) => one.dataset.seed)")
    ]


def captions(page: Any) -> Any:
    return page.evaluate("[...document.querySelectorAll('.xp-seed .xp-caption span')].map((one) => one.textContent)")


def sort_by(page: Any, measure: str) -> None:
    page.get_by_label("Sort by").select_option(measure)


def falling(found: list[int], measure: str, recipe: str = "cave", size: tuple[int, int] = CAVE) -> list[int]:
    """The largest first; of equals, the one that hung first."""
    return sorted(sorted(found), key=lambda seed: -(numbers(recipe, seed, size)[measure] or 0))


def measured(page: Any) -> None:
    """Wait until all of the range is measured."""
    page.get_by_text("1,200 seeds measured").wait_for()


def test_the_wall_hangs_48_levels_of_the_library_sorted_by_any_measure(page: Any, studio: Any) -> None:
    explore(page, studio)
    sort_by(page, "path_length")
    assert seeds(page) == falling(list(range(1, MANY + 1)), "path_length")
    assert captions(page) == [f"{numbers('cave', seed, CAVE)['path_length']} steps" for seed in seeds(page)]
    sort_by(page, "diameter")  # is not measured until somebody wants it
    page.wait_for_function("() => !document.querySelector('.xp-seed .xp-caption span')?.textContent.includes('none')")
    hung(page)
    assert seeds(page) == falling(list(range(1, MANY + 1)), "diameter")
    page.get_by_role("button", name="Largest first; turn round").click()
    assert [numbers("cave", seed, CAVE)["diameter"] for seed in seeds(page)] == sorted(
        numbers("cave", seed, CAVE)["diameter"] for seed in range(1, MANY + 1)
    )
    # The picture of a seed is its level: as many open cells in the thumbnail as in the library, about.
    drawn = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.xp-seed')].map((one) => {
            const canvas = one.querySelector('canvas')
            const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
            let count = 0
            for (let at = 3; at < data.length; at += 4) count += data[at] > 200
            return [one.dataset.seed, count]
        }))"""
    )
    by_picture = sorted(drawn, key=drawn.get)
    by_library = sorted(drawn, key=lambda seed: numbers("cave", int(seed), CAVE)["density"])
    assert len(set(by_picture[:12]) & set(by_library[:12])) >= 9


def test_a_wall_of_80x50_hangs_in_two_seconds_and_new_48_brings_the_next(page: Any, studio: Any) -> None:
    explore(page, studio, size=(80, 50))
    assert len(seeds(page, ".there")) == MANY
    assert 0 < int(page.locator(".xp-wall").get_attribute("data-took")) < 2000
    page.keyboard.press("Space")
    page.locator('.xp-seed.there[data-seed="96"]').wait_for()
    hung(page)
    assert sorted(seeds(page)) == list(range(MANY + 1, 2 * MANY + 1))
    page.get_by_role("button", name="The 48 seeds before").click()
    assert sorted(seeds(page)) == list(range(1, MANY + 1))


def test_filters_fade_and_sink_seeds_that_still_open(page: Any, studio: Any) -> None:
    explore(page, studio)
    sort_by(page, "path_length")
    handle = page.get_by_role("slider", name="path length, at least")
    handle.focus()
    for _ in range(3):
        page.keyboard.press("PageUp")
    least = int(handle.get_attribute("aria-valuetext"))
    assert page.locator(".xp-filter.on .xp-asked").inner_text() == f"≥ {least}"
    out = [seed for seed in range(1, MANY + 1) if (numbers("cave", seed, CAVE)["path_length"] or 0) < least]
    assert 0 < len(out) < MANY
    assert sorted(seeds(page, ".out")) == out
    assert set(seeds(page)[-len(out) :]) == set(out)
    assert page.get_by_text(f"{MANY - len(out)} of {MANY} match").is_visible()
    # With the pointer, another one: seeds fade at once, and hang in order when it is let go.
    box = page.get_by_label("Filter density").locator(".xp-histogram").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 20, steps=4)
    page.mouse.up()
    most = float(page.get_by_role("slider", name="density, at most").get_attribute("aria-valuenow"))
    out = [
        seed
        for seed in range(1, MANY + 1)
        if (numbers("cave", seed, CAVE)["path_length"] or 0) < least or numbers("cave", seed, CAVE)["density"] > most
    ]
    assert sorted(seeds(page, ".out")) == out
    # What is left out can still be opened.
    page.locator(f'.xp-seed[data-seed="{out[0]}"] .xp-picture').click()
    assert page.get_by_role("button", name="Make").get_attribute("aria-current") == "page"
    await_value(page.get_by_label("Seed: a number or words"), str(out[0]))


def test_an_empty_filter_names_the_nearest_seed_and_relaxes(page: Any, studio: Any) -> None:
    explore(page, studio)
    page.get_by_role("slider", name="path length, at least").focus()
    page.keyboard.press("End")
    said = page.locator(".xp-none")
    said.wait_for()
    best = falling(list(range(1, MANY + 1)), "path_length")[0]
    value = numbers("cave", best, CAVE)["path_length"]
    assert f"No seed matches. Nearest: seed {best} (path length {value})" in said.inner_text()
    assert len(seeds(page, ".out")) == MANY
    page.get_by_role("button", name="Relax").click()
    alike = [seed for seed in range(1, MANY + 1) if numbers("cave", seed, CAVE)["path_length"] == value]
    assert [seed for seed in seeds(page) if seed not in seeds(page, ".out")] == alike
    page.get_by_role("button", name=re.compile("^Clear")).click()
    assert not seeds(page, ".out")


def rows(page: Any) -> dict[str, list[str]]:
    """The table of both levels: measure -> A, B, difference."""
    script = (
        "[...document.querySelectorAll('tr[data-measure]')].map((row) => [row.dataset.measure, "
        "[...row.querySelectorAll('td')].map((one) => one.textContent)])"
    )
    return dict(page.evaluate(script))


def format_on_page(page: Any, measure: str, value: float | None) -> str:
    """A value as the page writes it."""
    unit = page.evaluate(
        """async (name) => {
            if (!window.units) {
                const headers = { 'X-Undercroft-Token': sessionStorage.getItem('undercroft token') }
                const answer = await fetch('/api/hello', { headers })
                window.units = Object.fromEntries((await answer.json()).measures.map((one) => [one.name, one.unit]))
            }
            return window.units[name]
        }""",
        measure,
    )
    if value is None:
        return "none"
    if unit == "share":
        return f"{round(value * 1000 + 1e-9) / 10:g} %"
    if unit == "flag":
        return "yes" if value else "no"
    return f"{int(value):,}" if float(value).is_integer() else f"{round(value * 100 + 1e-9) / 100:g}"


def maps(page: Any) -> Any:
    """What both maps show, as pictures."""
    page.mouse.move(10, 200)
    return page.evaluate(
        "async () => { for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame)\n"
        "return [...document.querySelectorAll('.cp-map canvas')].map((one) => one.toDataURL()) }"
    )


def test_two_seeds_side_by_side_by_keyboard_alone(page: Any, studio: Any) -> None:
    explore(page, studio)
    sort_by(page, "path_length")
    first, other = falling(list(range(1, MANY + 1)), "path_length")[:2]
    page.locator(f'.xp-seed[data-seed="{first}"] .xp-picture').focus()
    page.keyboard.press("a")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("b")
    page.locator(f'.xp-seed[data-seed="{other}"] .xp-picture[aria-label$="marked B"]').wait_for()
    page.keyboard.press("c")
    page.get_by_role("radio", name="All").click()
    page.wait_for_function(
        "() => document.querySelectorAll('.cp-table tr[data-measure]').length > 25 && "
        "document.querySelectorAll('.cp-title').length === 2"
    )
    lengths = [
        format_on_page(page, "path_length", numbers("cave", seed, CAVE)["path_length"]) for seed in (first, other)
    ]
    until(page, lambda: rows(page)["path_length"][:2], lengths)
    table = rows(page)
    for measure, (a, b, _) in table.items():
        assert (a, b) == tuple(
            format_on_page(page, measure, numbers("cave", seed, CAVE)[measure]) for seed in (first, other)
        ), measure
    by = numbers("cave", other, CAVE)["path_length"] - numbers("cave", first, CAVE)["path_length"]
    assert table["path_length"][2] == (f"−{-by}" if by else "same")
    page.keyboard.press("x")  # the other way round
    until(page, lambda: rows(page)["path_length"], [*lengths[::-1], f"+{-by}" if by else "same"])
    page.keyboard.press("Escape")
    assert page.locator(".xp-wall").is_visible()


def test_both_maps_pan_zoom_and_show_the_same(page: Any, studio: Any) -> None:
    explore(page, studio, "rooms-and-mazes", (41, 31))
    page.locator(".xp-picture").first.hover()
    page.keyboard.press("c")
    # One level on both sides must give one picture, whatever is done to one of the maps.
    page.get_by_role("switch", name="Same seed").click()
    titles = "[...document.querySelectorAll('.cp-title span')].map((one) => one.textContent)"
    page.wait_for_function(f"() => {titles}.length === 2 && new Set({titles}).size === 1")
    until(page, lambda: len(set(maps(page))), 1)
    before = maps(page)
    assert before[0] == before[1]
    box = page.locator(".cp-map").nth(1).bounding_box()
    page.mouse.move(box["x"] + 150, box["y"] + 300)
    page.mouse.wheel(0, -300)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 350, steps=3)
    page.mouse.up()
    moved = maps(page)
    assert moved[0] == moved[1] != before[0]
    zooms = page.locator(".cp-zoom").all_inner_texts()
    assert zooms[0] == zooms[1] != "100 %"
    page.keyboard.press("0")
    assert maps(page) == before
    for key in "pgtd":
        page.keyboard.press(key)
        now = maps(page)
        assert now[0] == now[1] != before[0], key
        page.keyboard.press(key)
    assert maps(page) == before
    page.get_by_role("button", name="Choke points").click()
    until(page, lambda: (now := maps(page))[0] == now[1] != before[0])


def choose_recipe(page: Any, menu: str, name: str) -> None:
    """Choose a recipe by its picture."""
    page.get_by_role("button", name=re.compile(f"^{menu}")).click()
    card = page.get_by_role("dialog").get_by_role("button", name=re.compile(f"^{name}: "))
    card.locator("canvas:not(.empty)").wait_for()
    card.click()
    page.get_by_role("dialog").wait_for(state="detached")


def test_two_recipes_side_by_side(page: Any, studio: Any) -> None:
    explore(page, studio)
    choose_recipe(page, "Compare a recipe in the plot", "maze")
    page.get_by_role("button", name="Side by side").click()
    assert page.get_by_role("switch", name="Same seed").get_attribute("aria-checked") == "true"
    choose_recipe(page, "Recipe of B", "walk")
    page.get_by_label("Seed of A").fill("8")
    page.get_by_label("Seed of A").press("Enter")
    page.get_by_text("cave, seed 8, 40 × 24", exact=True).wait_for()
    page.get_by_text("walk, seed 8, 80 × 50", exact=True).wait_for()
    page.get_by_role("radio", name="All").click()
    wanted = [format_on_page(page, "loops", numbers(*of)["loops"]) for of in (("cave", 8, CAVE), ("walk", 8, None))]
    until(page, lambda: rows(page).get("loops", [])[:2], wanted)
    assert "Of different size" in page.locator(".cp-foot").inner_text()
    page.get_by_role("button", name="Open in Make: B").click()
    await_value(page.get_by_label("Seed: a number or words"), "8")
    await_value(page.get_by_label("Width", exact=True), "80")


def in_bin(page: Any) -> list[int]:
    """Seeds of the range that the library puts into the bin that the page says is chosen."""
    words = page.locator(".xp-bin-words").inner_text()
    found = re.match(r"path length (\d+)(?: to (\d+))? steps, dead ends (\d+)(?: to (\d+))?", words)
    assert found, words
    low, high, least, most = (int(found[group] or found[group - 1]) for group in (1, 2, 3, 4))
    every = ((seed, numbers("maze", seed, MAZE)) for seed in range(1, RANGE + 1))
    return [seed for seed, of in every if low <= of["path_length"] <= high and least <= of["dead_ends"] <= most]


def test_a_map_from_a_file_has_nothing_to_explore_but_can_be_compared(page: Any, studio: Any) -> None:
    level = uc.generate("cave", seed=5, size=CAVE)
    level.save(studio.project / "found.json")
    page.goto(f"{studio.address}&path=found.json&style=plain")
    page.get_by_text("A map from a file").wait_for()
    until(page, lambda: page.get_by_role("button", name="Keep: choose").is_disabled())  # it is not made anew
    page.keyboard.press("l")
    page.get_by_text("nothing of it needs to be kept").wait_for()
    assert not page.locator(".tool-options").count()
    page.keyboard.press("2")
    page.get_by_text("nobody knows how it was made").wait_for()
    page.locator(".under-doing", has_text="the map of the file").wait_for()
    page.keyboard.press("3")
    page.get_by_role("heading", name="A map from a file has no seeds to explore").wait_for()
    assert not page.locator(".xp-wall").count()
    page.get_by_role("button", name="Compare the map").click()
    page.locator(".cp-title", has_text="bsp, seed 1").wait_for()
    page.locator(".cp-title", has_text=re.compile(rf"found\.json, {CAVE[0]} × {CAVE[1]}")).wait_for()
    assert page.get_by_label("Seed of A").count() == 0
    await_count(page.get_by_label("Seed of B"), 1)
    page.get_by_role("button", name="Back", exact=True).click()
    page.locator(".first-cards .card", has_text="maze").first.click()  # from here on there are seeds
    hung(page)
    page.keyboard.press("Escape")


def test_the_range_counts_1200_seeds_and_its_bins_open_their_levels(page: Any, studio: Any) -> None:
    explore(page, studio, "maze", MAZE, ranged=True)
    page.get_by_label("Across: measure").select_option("path_length")
    page.get_by_label("Up: measure").select_option("dead_ends")
    measured(page)
    plot = page.locator(".xp-plot canvas")
    box = plot.bounding_box()
    page.locator(".xp-behind").first.wait_for()
    for share in (0.35, 0.45):
        page.mouse.click(box["x"] + 48 + (box["width"] - 100) * share, box["y"] + 46 + (box["height"] - 86) * 0.55)
        page.mouse.move(10, 10)
        expected = in_bin(page)
        assert (
            page.locator(".xp-bin header b").inner_text()
            == f"{len(expected)} level{'s' * (len(expected) != 1)} in this bin"
        )
    plot.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert in_bin(page) == expected
    assert len(expected) > 1
    assert [int(text) for text in page.locator(".xp-behind b").all_inner_texts()] == expected[:8]
    page.get_by_role("button", name="Put on the wall").click()
    hung(page)
    assert sorted(seeds(page)) == expected[:MANY]
    assert sorted(seeds(page, ".lit")) == expected[:MANY]
    page.locator(".xp-behind button").nth(1).click()
    await_value(page.get_by_label("Seed: a number or words"), str(expected[1]))


def test_the_range_stops_and_goes_on_and_fills_the_wall_with_matches(page: Any, studio: Any) -> None:
    explore(page, studio, size=(80, 50), ranged=True)
    page.wait_for_function("() => Number(document.querySelector('.xp-progress')?.getAttribute('aria-valuenow')) > 60")
    page.get_by_role("button", name="Stop", exact=True).click()
    page.wait_for_timeout(300)
    stopped = page.locator(".xp-range-head").inner_text()
    page.wait_for_timeout(300)
    assert page.locator(".xp-range-head").inner_text() == stopped
    known = int(page.locator(".xp-progress").get_attribute("aria-valuenow"))
    assert 60 < known < RANGE
    page.get_by_role("button", name="Go on").click()
    page.wait_for_function(
        f"() => Number(document.querySelector('.xp-progress')?.getAttribute('aria-valuenow') ?? {RANGE}) > {known + 20}"
    )
    # Few seeds of the wall are as long as wanted; the range knows others.
    page.get_by_role("slider", name="path length, at least").focus()
    while len(seeds(page, ".out")) < 40:
        page.keyboard.press("PageUp")
    least = int(page.get_by_role("slider", name="path length, at least").get_attribute("aria-valuetext"))
    page.get_by_role("button", name=re.compile("Of all measured seeds")).click()
    hung(page)
    assert not seeds(page, ".out")
    assert all(numbers("cave", seed, (80, 50))["path_length"] >= least for seed in seeds(page))


def test_favourites_are_the_same_in_make(page: Any, studio: Any) -> None:
    explore(page, studio)
    for seed in (5, 9):
        page.locator(f'.xp-seed[data-seed="{seed}"] .xp-picture').focus()
        page.keyboard.press("f")
    page.get_by_role("button", name="Favourites, 2").click()
    assert sorted(seeds(page)) == [5, 9]
    page.locator('.xp-seed[data-seed="9"] .xp-picture').click()
    star = page.get_by_role("button", name="Favourite", exact=True)
    assert star.get_attribute("aria-pressed") == "true"
    star.click()
    page.keyboard.press("3")
    page.locator('.xp-seed[data-seed="5"] .xp-star.on').wait_for()
    assert page.locator('.xp-seed[data-seed="9"] .xp-star.on').count() == 0


def test_a_second_recipe_in_the_plot(page: Any, studio: Any) -> None:
    explore(page, studio, "maze", MAZE, ranged=True)
    measured(page)
    before = page.evaluate("document.querySelector('.xp-plot canvas').toDataURL()")
    choose_recipe(page, "Compare a recipe in the plot", "cave")
    page.wait_for_function("() => document.querySelector('.xp-legend .quiet')?.textContent.includes('21 × 11')")
    assert page.evaluate("document.querySelector('.xp-plot canvas').toDataURL()") != before
    assert re.search(r"in this bin, \d+ of cave", page.locator(".xp-bin header b").inner_text())
    page.get_by_role("radio", name="cave").click()
    assert "maze" in page.locator(".xp-legend .second").inner_text()


@pytest.mark.parametrize(
    ("width", "height", "theme"), [(1440, 900, "light"), (1280, 720, "dark"), (820, 1180, "light")]
)
def test_nothing_is_cut_off(browser: Any, studio: Any, width: int, height: int, theme: str) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
    )
    page = context.new_page()
    explore(page, studio)
    wide = """() => [...document.querySelectorAll('.xp-left, .xp-bar, .xp-wall, .xp-foot, .cp, .cp-bar')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className)"""
    assert page.evaluate(wide) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.get_by_role("button", name="Compare A and B").click()
    page.locator(".cp-map canvas").first.wait_for()
    assert page.evaluate(wide) == []
    page.keyboard.press("?")
    page.get_by_text("Mark as A, B").wait_for()
    context.close()
