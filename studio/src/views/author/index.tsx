/** Author: rules or layouts, one at a time. */
import { useCommands } from "../../shell/commands"
import { Segmented } from "../../widgets/choices"
import { TopMiddle } from "../../widgets/top_middle"
import { authorTab } from "../../project/open_in_author"
import { AuthorLayouts } from "./layouts"
import { AuthorRules } from "./rules"

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
