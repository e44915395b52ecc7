import { createElement, type SVGProps } from 'react'

interface IconData {
  readonly node: readonly (readonly [string, Readonly<Record<string, string>>])[]
}

interface IconProps extends SVGProps<SVGSVGElement> {
  readonly size?: number | string
}

const GRID = 24

/** An icon of 16 px with a line of 1.5 px, whatever its size. Readers skip it unless it has a name. */
export function createIcon({ node }: IconData) {
  // The shapes never change, so React draws them once.
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return ({ size = 16, strokeWidth = 1.5, ...rest }: IconProps) =>
    createElement(
      'svg',
      {
        ...{ width: size, height: size, viewBox: `0 0 ${GRID} ${GRID}` },
        ...{ fill: 'none', stroke: 'currentColor' },
        ...{ strokeLinecap: 'round', strokeLinejoin: 'round' },
        strokeWidth: (Number(strokeWidth) * GRID) / Number(size),
        'aria-hidden':
          rest['aria-label'] === undefined && rest.role === undefined ? true : undefined,
        ...rest,
      },
      ...shapes,
    )
}
