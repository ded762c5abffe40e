"""The classic methods: every recipe whole, the steps that have a floor or a figure of their own, and what people use
today.
"""
