/** Export: a stub, until the dialog is written. */
import { Dialog } from "../../parts/dialog"

export function ExportDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Export" title="Export" class="export-dialog" onClose={onClose}>
      <p class="dialog-body">Export</p>
    </Dialog>
  )
}
