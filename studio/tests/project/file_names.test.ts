import { expect, test } from "vitest"
import { plainName } from "../../src/project/file_names"

test.each([
  ["Cave 7", "cave-7"],
  ["../../etc/passwd", "etc-passwd"],
  ["a:b*c?d|e", "a-b-c-d-e"],
  ["Höhle_1.2", "höhle_1.2"],
  ["--..--", "level"],
  ["", "level"],
  ["🦇", "level"],
  ["x".repeat(99), "x".repeat(60)],
])("%s", (name, plain) => expect(plainName(name)).toBe(plain))
