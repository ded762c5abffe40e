/**
 * Letters typed over selected text.
 *
 * The browser would join the lines itself before CodeMirror sees it, and give what it joins a style attribute, which our policy forbids: nothing breaks,
 * but the console complains. So the text is changed here, and the browser only draws it.
 */
import { EditorView } from "@codemirror/view"

export const replaceSelectionOnType = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    if (event.inputType !== "insertText" || event.data === null || view.composing || view.state.readOnly) return false
    if (view.state.selection.ranges.every((range) => range.empty)) return false
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true })
    return true
  },
})
