/** Opens the catalogue of words, and names the key that completes. */
import { Button } from "../../widgets/button"

export const WordsButton = ({ onClick }: { onClick: () => void }) => (
  <Button small look="quiet" label="Catalogue of words; Ctrl Space completes at the cursor, F1 explains" onClick={onClick}>
    Words
  </Button>
)
