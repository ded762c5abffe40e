"""The works, checks and figures of rewriting: rules, templates and grammars."""
