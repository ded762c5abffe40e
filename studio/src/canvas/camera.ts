/** Where the map lies on the screen: `scale` CSS pixels a cell, and the place of the map's corner. */
export class Camera {
  scale = 8
  x = 0
  y = 0
  /** The scale at which the whole map fits: what is called 100 %. */
  fitting = 8
  /** Room left free around a map that fits: for titles and floating tools. */
  margin = { top: 24, right: 24, bottom: 24, left: 24 }

  constructor(
    public width = 1,
    public height = 1,
    public columns = 1,
    public rows = 1,
  ) {}

  fit(): void {
    const { top, right, bottom, left } = this.margin
    const across = Math.max(40, this.width - left - right)
    const down = Math.max(40, this.height - top - bottom)
    this.fitting = Math.min(across / this.columns, down / this.rows, 48)
    this.scale = this.fitting
    this.x = left + (across - this.scale * this.columns) / 2
    this.y = top + (down - this.scale * this.rows) / 2
  }

  /** The whole map fits now: then it goes on fitting when the window changes. */
  get fits(): boolean {
    return Math.abs(this.scale - this.fitting) < 1e-6
  }

  zoom(by: number, at: { x: number; y: number }): void {
    const to = Math.max(Math.min(this.fitting / 4, 1), Math.min(96, this.scale * by))
    this.x = at.x - ((at.x - this.x) * to) / this.scale
    this.y = at.y - ((at.y - this.y) * to) / this.scale
    this.scale = to
    this.keepInSight()
  }

  pan(dx: number, dy: number): void {
    this.x += dx
    this.y += dy
    this.keepInSight()
  }

  /** Never loses the map: some of it stays in sight. */
  keepInSight(): void {
    const seen = 64
    this.x = Math.min(this.width - seen, Math.max(seen - this.scale * this.columns, this.x))
    this.y = Math.min(this.height - seen, Math.max(seen - this.scale * this.rows, this.y))
  }

  /** Brings a cell into sight, if it is not. */
  showCell(column: number, row: number): void {
    const pad = Math.min(60, this.width / 4, this.height / 4)
    const x = this.x + (column + 0.5) * this.scale
    const y = this.y + (row + 0.5) * this.scale
    if (x < pad) this.x += pad - x
    if (x > this.width - pad) this.x -= x - this.width + pad
    if (y < pad) this.y += pad - y
    if (y > this.height - pad) this.y -= y - this.height + pad
  }

  /** The cell under a point of the canvas, or null outside. */
  cell(x: number, y: number): [number, number] | null {
    const column = Math.floor((x - this.x) / this.scale)
    const row = Math.floor((y - this.y) / this.scale)
    return column < 0 || row < 0 || column >= this.columns || row >= this.rows ? null : [column, row]
  }

  /** The cells in sight: from (x0, y0) to before (x1, y1). */
  get seen(): { x0: number; y0: number; x1: number; y1: number } {
    return {
      x0: Math.max(0, Math.floor(-this.x / this.scale)),
      y0: Math.max(0, Math.floor(-this.y / this.scale)),
      x1: Math.min(this.columns, Math.ceil((this.width - this.x) / this.scale)),
      y1: Math.min(this.rows, Math.ceil((this.height - this.y) / this.scale)),
    }
  }
}
