/** The first start: six recipes made live, a file, or a map to import. */
import type { ComponentChildren } from "preact"
import { useKeys } from "../../shell/keys"
import { Button } from "../../widgets/button"
import { dialog } from "../../state/navigation"
import { newRecipe } from "../../shell/new_files"
import { recipes } from "../../state/recipes"
import { Card, gallerySeed } from "./gallery"

const FIRST_RECIPES = ["rooms-and-mazes", "cave", "cozy", "isaac", "bsp", "dungeoning"]

/** Other views say in their own words why they have nothing to show, and may have something else to offer. */
export function FirstStart({ title = "Pick a place to start", about = "", more }: { title?: string; about?: string; more?: ComponentChildren }) {
  useKeys({ shuffle: shuffleGallery })
  const all = recipes.value
  const six = [...FIRST_RECIPES.flatMap((name) => all.filter((recipe) => recipe.name === name && recipe.origin === "ours")), ...all.filter((recipe) => !FIRST_RECIPES.includes(recipe.name))].slice(0, 6)
  return (
    <section class="first">
      <div class="first-inner">
        <h1>{title}</h1>
        <p class="second">
          {about}Each is made live. Press <kbd>Space</kbd> for another.
        </p>
        <div class="first-cards">
          {six.map((recipe) => (
            <Card key={recipe.name} of={recipe} width={196} height={132} />
          ))}
        </div>
        <div class="row">
          {more}
          <Button icon="plus" onClick={() => void newRecipe()}>
            New recipe
          </Button>
          <Button icon="folder" onClick={() => (dialog.value = "open")}>
            Open a recipe
          </Button>
          <Button look="quiet" onClick={() => (dialog.value = "import")}>
            Import a map
          </Button>
        </div>
      </div>
    </section>
  )
}

function shuffleGallery(): void {
  gallerySeed.value = String(1 + Math.floor(Math.random() * 9999))
}
