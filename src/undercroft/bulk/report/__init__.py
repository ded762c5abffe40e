"""The closing report of a batch."""
