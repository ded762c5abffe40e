/** Numbers in sentences. */

export const countText = (count: number, one: string, more = one + "s"): string => `${count.toLocaleString("en")} ${count === 1 ? one : more}`
