/** A short digest of a text: enough to tell two of them apart. */
export function digest(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  return `${text.length} ${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`
}
