/** One day of the chart. Numbers are for drawing alone: the texts hold the exact amounts. */
export interface BarDay {
  key: string
  /** "Fri 13 November" */
  label: string
  /** Under the axis: "13 Nov" */
  tick: string
  spent: number
  held: number
  rejected: number
  spentText: string
  heldText: string
  /** "90.00 in 4" */
  rejectedText: string
  /** The whole day in one sentence, for screen readers. */
  sentence: string
  /** The list that the day was counted from. */
  href?: string | undefined
  /** In the tooltip: "Enter: see the 41 spends". */
  hint?: string | undefined
}

export function mostOf(days: readonly BarDay[]): { up: number; down: number } {
  return {
    up: Math.max(0, ...days.map((day) => day.spent + day.held)),
    down: Math.max(0, ...days.map((day) => day.rejected)),
  }
}
