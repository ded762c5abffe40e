"""Watch a cave grow, and ask who wrote the cells on the way: python examples/who_dug_here.py"""

from collections import Counter

import undercroft as uc

timeline = uc.Timeline()
level = uc.generate("cave", seed=7, size=(60, 16), fill_prob=0.47, watcher=timeline)
print(level)
print(f"{timeline.turns} turns: {', '.join(dict.fromkeys(timeline.sources))}")

writers: Counter[str] = Counter()
for x, y in level.path.tolist():
    written = timeline.writer(x, y)
    writers[written.source if written else "nobody"] += 1
for source, count in writers.most_common():
    print(f"{count:4} cells of the way are as {source} left them")
