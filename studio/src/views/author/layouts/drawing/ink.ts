/** How a square of a layout is drawn: in the drawing, on the sheet of sizes and on the swatches, so that a tile looks the same everywhere. */
import { theme } from "../../../../state/theme"

export interface Inks {
  floor: string
  corridor: string
  wall: string
  hatch: string
  water: string
  pit: string
  pillar: string
  door: string
  ink: string
  ring: string
  edge: string
}

const DARK: Inks = {
  floor: "#d8c7a3",
  corridor: "#b5a583",
  wall: "#555d78",
  hatch: "rgba(8,10,18,.3)",
  water: "#3f79ab",
  pit: "#14121b",
  pillar: "#3a3346",
  door: "#b4682a",
  ink: "#14161f",
  ring: "#ffffff",
  edge: "rgba(6,8,15,.75)",
}
const LIGHT: Inks = { ...DARK, floor: "#f1e6cb", corridor: "#dccdab", wall: "#8b86a0", hatch: "rgba(255,255,255,.3)", water: "#7eaed2", pit: "#3b3648", pillar: "#6b6480", edge: "rgba(60,50,70,.55)" }

export const inks = (): Inks => (theme.value === "dark" ? DARK : LIGHT)

/** A colour with some of it seen through. */
export function translucent(colour: string, alpha: number): string {
  const [red, green, blue] = [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16))
  return `rgba(${red},${green},${blue},${alpha})`
}

/** White or black, whichever can be read on a colour. */
export function readableInk(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16)) as [number, number, number]
  return red * 0.3 + green * 0.59 + blue * 0.11 > 120 ? "#14161f" : "#ffffff"
}

export interface Square {
  role: string
  /** A slot or a socket: its kind's first letter is shown if there is room. */
  mark?: { what: "slot" | "socket"; kind: string }
}

const ROCK = new Set(["wall", "void"])
const DOORS = new Set(["door", "opening", "locked", "secret"])

/** One square at (x, y), `s` pixels long. `colour` is that of its partition, if it shows one. */
export function drawSquare(ctx: CanvasRenderingContext2D, square: Square, x: number, y: number, s: number, colour: string | null, look: Inks): void {
  const { role, mark } = square
  const rock = ROCK.has(role) || mark?.what === "socket" || DOORS.has(role)
  ctx.fillStyle = rock ? (colour ?? look.wall) : role === "water" ? look.water : role === "pit" ? look.pit : role === "corridor" ? look.corridor : look.floor
  ctx.fillRect(x, y, s, s)
  if (!rock && colour) {
    ctx.fillStyle = translucent(colour, role === "pit" ? 0.3 : 0.52)
    ctx.fillRect(x, y, s, s)
  }
  if (rock && s >= 18 && ROCK.has(role) && !mark) drawHatch(ctx, x, y, s, look)
  if (role === "water" && s >= 9) drawWaves(ctx, x, y, s)
  if (role === "pillar") drawDisc(ctx, x + s / 2, y + s / 2, s * 0.3, look.pillar)
  if (DOORS.has(role) || mark?.what === "socket") drawDoor(ctx, mark ? "socket" : role, x, y, s, look)
  if ((role === "entry" || role === "exit") && s >= 5) drawStairs(ctx, role, x, y, s, look)
  if (mark?.what === "slot") drawDiamond(ctx, x + s / 2, y + s / 2, s * 0.4, look)
  if (mark && s >= 16) drawLetter(ctx, mark.kind, x, y, s, mark.what === "slot" ? look.ink : "#ffffff")
}

function drawHatch(ctx: CanvasRenderingContext2D, x: number, y: number, s: number, look: Inks): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(x, y, s, s)
  ctx.clip()
  ctx.strokeStyle = look.hatch
  ctx.lineWidth = Math.max(1, s / 28)
  ctx.beginPath()
  const gap = s / 5
  for (let k = -s; k < s; k += gap) {
    ctx.moveTo(x + k, y + s)
    ctx.lineTo(x + k + s, y)
  }
  ctx.stroke()
  ctx.restore()
}

function drawWaves(ctx: CanvasRenderingContext2D, x: number, y: number, s: number): void {
  ctx.strokeStyle = "rgba(255,255,255,.5)"
  ctx.lineWidth = Math.max(0.8, s / 22)
  for (const part of [0.36, 0.66]) {
    ctx.beginPath()
    ctx.moveTo(x + s * 0.18, y + s * part)
    ctx.bezierCurveTo(x + s * 0.36, y + s * (part - 0.14), x + s * 0.44, y + s * (part + 0.14), x + s * 0.6, y + s * part)
    ctx.quadraticCurveTo(x + s * 0.72, y + s * (part - 0.1), x + s * 0.82, y + s * part)
    ctx.stroke()
  }
}

function drawDisc(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, fill: string): void {
  ctx.fillStyle = fill
  ctx.beginPath()
  ctx.arc(x, y, r, 0, 7)
  ctx.fill()
}

function drawDoor(ctx: CanvasRenderingContext2D, role: string, x: number, y: number, s: number, look: Inks): void {
  const inset = s * 0.16
  ctx.fillStyle = role === "socket" ? look.ink : role === "locked" ? "#c23a33" : role === "secret" ? "#7d5fc7" : role === "opening" ? look.floor : look.door
  ctx.beginPath()
  ctx.roundRect(x + inset, y + inset, s - 2 * inset, s - 2 * inset, s * 0.12)
  ctx.fill()
  if (s < 9 || role === "opening") return
  ctx.strokeStyle = "rgba(255,255,255,.6)"
  ctx.lineWidth = Math.max(0.8, s / 20)
  ctx.stroke()
  if (s >= 16 && role === "door") drawDisc(ctx, x + s * 0.66, y + s / 2, s * 0.06, "rgba(255,255,255,.85)")
}

function drawStairs(ctx: CanvasRenderingContext2D, role: string, x: number, y: number, s: number, look: Inks): void {
  ctx.fillStyle = look.ink
  for (let step = 0; step < 3; step++) {
    const long = s * (role === "entry" ? 0.22 + step * 0.18 : 0.58 - step * 0.18)
    ctx.fillRect(x + (s - long) / 2, y + s * (0.26 + step * 0.2), long, Math.max(0.8, s * 0.1))
  }
}

function drawDiamond(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, look: Inks): void {
  ctx.beginPath()
  ctx.moveTo(x, y - r)
  ctx.lineTo(x + r, y)
  ctx.lineTo(x, y + r)
  ctx.lineTo(x - r, y)
  ctx.closePath()
  ctx.fillStyle = "#fff7e0"
  ctx.fill()
  ctx.strokeStyle = look.ink
  ctx.lineWidth = Math.max(0.8, r / 8)
  ctx.stroke()
}

function drawLetter(ctx: CanvasRenderingContext2D, kind: string, x: number, y: number, s: number, ink: string): void {
  ctx.fillStyle = ink
  ctx.font = `600 ${Math.round(s * 0.36)}px "Inter Variable", sans-serif`
  ctx.textAlign = "center"
  ctx.textBaseline = "middle"
  ctx.fillText(kind.charAt(0).toUpperCase(), x + s / 2, y + s * 0.53)
}
