/** A picture whose bytes are here: its address lasts as long as the element, and at least until that has loaded it. */
import { useLayoutEffect, useRef } from "preact/hooks"

interface Props {
  blob: Blob
  alt: string
  class?: string
}

const keys = new WeakMap<Blob, number>()
let lastKey = 0

/** Each blob has a key of its own, and so an element of its own: one that gets another address no longer tells when the first is loaded. */
function keyOf(blob: Blob): number {
  const key = keys.get(blob) ?? ++lastKey
  keys.set(blob, key)
  return key
}

export const BlobImage = (props: Props) => <OneImage key={keyOf(props.blob)} {...props} />

function OneImage({ blob, ...rest }: Props) {
  const image = useRef<HTMLImageElement>(null)
  useLayoutEffect(() => {
    const element = image.current
    if (!element) return
    const url = URL.createObjectURL(blob)
    element.src = url
    const revoke = (): void => URL.revokeObjectURL(url)
    return () => {
      if (element.complete) revoke()
      else element.onload = element.onerror = revoke // it goes on loading, and the browser complains of an address that is gone
    }
  }, [])
  return <img ref={image} {...rest} />
}
