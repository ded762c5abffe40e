/**
 * A text editor as an element: CodeMirror with our looks.
 *
 *   <CodeEditor label="Recipe" text={text} onType={typed} problems={problems} more={[...]} onReady={(view) => ...} />
 *
 * When `text` changes from outside, only what differs is replaced, so that the cursor, folds and comments stay where they are; `onType` is called only
 * for what was typed here.
 */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { codeFolding, foldGutter, foldKeymap, indentUnit, syntaxHighlighting } from "@codemirror/language"
import { Annotation, EditorState, Transaction, type Extension } from "@codemirror/state"
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view"
import { classHighlighter } from "@lezer/highlight"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Problem } from "../server/protocol"
import { lens, setProblems } from "./problem_lens"
import { replaceSelectionOnType } from "./typed_over"
import { difference } from "./text_difference"

const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? ""

/** Marks changes that came from outside. */
export const fromOutside = Annotation.define<boolean>()

interface Props {
  label: string
  text: string
  onType: (text: string) => void
  problems?: Problem[]
  /** A language, folding, pills. Read once. */
  more?: Extension[]
  onReady?: (view: EditorView | null) => void
  readOnly?: boolean
  class?: string
}

export function CodeEditor({ label, text, onType, problems, more, onReady, readOnly, class: name }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const held = useRef<EditorView | null>(null)
  const latest = useRef({ onType })
  latest.current.onType = onType
  /** What was typed and has not yet come back as `text`: an echo that is late must not undo newer letters. */
  const echoes = useRef<string[]>([])

  // A layout effect runs before the page is drawn, so that nothing can be typed into the old editor after its text was replaced.
  useLayoutEffect(() => {
    if (!holder.current) return
    const view = new EditorView({
      parent: holder.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          codeFolding({ placeholderText: "⋯" }),
          foldGutter({ openText: "", closedText: "▸" }),
          history(),
          drawSelection(),
          EditorView.lineWrapping,
          highlightActiveLine(),
          indentUnit.of("    "),
          syntaxHighlighting(classHighlighter),
          lens,
          replaceSelectionOnType,
          ...(more ?? []),
          // Tab indents only after Enter or a click into the text; Esc then Tab leaves it, as CodeMirror's manual asks.
          keymap.of([...defaultKeymap.filter((key) => key.key !== "Alt-Enter"), ...historyKeymap, ...foldKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
          EditorState.readOnly.of(readOnly ?? false),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside))) {
              const typed = update.state.doc.toString()
              echoes.current.push(typed)
              latest.current.onType(typed)
            }
          }),
        ],
      }),
    })
    held.current = view
    onReady?.(view)
    return () => {
      onReady?.(null)
      held.current = null
      view.destroy()
    }
  }, [])

  useLayoutEffect(() => {
    const view = held.current
    if (!view) return
    const echo = echoes.current.indexOf(text)
    if (echo >= 0) {
      echoes.current.splice(0, echo + 1)
      return
    }
    echoes.current = []
    const changes = difference(view.state.doc.toString(), text)
    if (changes) view.dispatch({ changes, annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)] })
  }, [text])
  const told = JSON.stringify(problems ?? [])
  useLayoutEffect(() => {
    held.current?.dispatch({ effects: setProblems.of(problems ?? []) })
  }, [told])

  return <div ref={holder} class={"editor" + (name ? " " + name : "")} />
}
