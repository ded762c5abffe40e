/**
 * Makes what runs now (an effect, a computed value, a component) run again when signals change that it does not use itself.
 *
 *   dependOn(level.value, theme.value)
 *
 * Reading `value` is what subscribes, so the function itself has nothing to do.
 */
export function dependOn(..._values: readonly unknown[]): void {}
