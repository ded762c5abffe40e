/** The layouts editor: a stub, until it is written. */
export function AuthorLayouts() {
  return <section class="stub">Layouts</section>
}
