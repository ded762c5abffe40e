/** Files in words: how large, how long ago, and which program opens them. */
import type { FormatCard } from "../../server/protocol"

export function programName(card: FormatCard): string {
  const found = { tmx: "Tiled", tmj: "Tiled or Phaser", godot: "Godot", "godot:rooms": "Godot", ldtk: "LDtk", glb: "Blender", foundry: "Foundry" }[card.name]
  return found ?? "the program that shows it"
}

export function timeAgo(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 2) return "just now"
  return seconds < 60 ? `${seconds} seconds ago` : seconds < 3600 ? `${Math.round(seconds / 60)} minutes ago` : `${Math.round(seconds / 3600)} hours ago`
}

export const sizeText = (bytes: number): string => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)
