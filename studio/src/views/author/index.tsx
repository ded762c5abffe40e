/** Author: rules or layouts, one at a time. */
import { useCommands } from "../../commands"
import { Segmented } from "../../parts/choices"
import { TopMiddle } from "../../parts/top_middle"
import { authorTab } from "../../state/authoring"
import { AuthorLayouts } from "../author_layouts"
import { AuthorRules } from "../author_rules"

export function Author() {
  useCommands(() => [
    { label: "Edit rules", kind: "author", run: () => (authorTab.value = "rules") },
    { label: "Edit layouts", kind: "author", run: () => (authorTab.value = "layouts") },
  ])
  return (
    <>
      <TopMiddle>
        <Segmented
          small
          label="Author"
          value={authorTab.value}
          options={[
            { value: "rules", title: "Rules" },
            { value: "layouts", title: "Layouts" },
          ]}
          onChange={(value) => (authorTab.value = value)}
        />
      </TopMiddle>
      {authorTab.value === "rules" ? <AuthorRules /> : <AuthorLayouts />}
    </>
  )
}
