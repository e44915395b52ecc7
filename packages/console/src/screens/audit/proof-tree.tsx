import { formatCount } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import { type TreeNode, treeShape } from './tree-shape.ts'

interface ProofTreeProps {
  readonly index: number
  readonly size: number
  readonly hashes: number
  /** A step failed: the way is not proven. */
  readonly isBroken: boolean
}

const WIDTH = 440
const BOX = { width: 44, height: 18 }

/** The way from the signed root to the leaf. */
export function ProofTree({ index, size, hashes, isBroken }: ProofTreeProps) {
  const { nodes, edges, leaf, height } = treeShape(index, size)
  const leaves = countOf(size, 'leaf', 'leaves')
  const name = `Leaf ${formatCount(index)} and ${countOf(hashes, 'hash', 'hashes')} on the way to the root of ${leaves}`
  const onPath = isBroken ? 'stroke-no-fill' : 'stroke-accent'
  // The words stand where no box is: beside the root, and beside the leaf on the side with room.
  const isLeafLeft = leaf.x < WIDTH / 2
  return (
    <svg
      aria-label={name}
      className="mb-2 block w-full max-w-110 font-sans text-micro"
      role="img"
      viewBox={`0 0 ${WIDTH} ${height}`}
    >
      {edges.map(({ from, to }) => (
        <path
          className={to.isOnPath ? onPath : 'stroke-line-strong'}
          d={`M${from.x} ${from.y + 9}L${to.x} ${to.y - 9}`}
          key={`${to.x}-${to.y}`}
          strokeWidth={to.isOnPath ? 1.75 : 1}
        />
      ))}
      {nodes.map((node) => (
        <Box isBroken={isBroken} key={`${node.x}-${node.y}`} node={node} />
      ))}
      <text className="fill-ink-2" fontSize="11" x={WIDTH / 2 + 34} y={20}>
        signed, {leaves}
      </text>
      {hashes === 0 ? null : (
        <text
          className="fill-ink-2"
          fontSize="11"
          textAnchor={isLeafLeft ? 'start' : 'end'}
          x={isLeafLeft ? WIDTH - 110 : 110}
          y={height - 8}
        >
          {countOf(hashes, 'hash', 'hashes')} on the way
        </text>
      )}
    </svg>
  )
}

function Box({ node, isBroken }: { readonly node: TreeNode; readonly isBroken: boolean }) {
  const path = isBroken ? 'fill-no-soft stroke-no-fill' : 'fill-accent-soft stroke-accent'
  return (
    <>
      <rect
        className={node.isOnPath ? path : 'fill-well stroke-line-strong'}
        height={BOX.height}
        rx={4}
        strokeDasharray={node.isOnPath ? undefined : '3 2'}
        strokeWidth={node.isOnPath ? 1.5 : 1}
        width={BOX.width}
        x={node.x - BOX.width / 2}
        y={node.y - BOX.height / 2}
      />
      {node.label ? (
        <text
          className="fill-ink font-medium"
          fontSize="11"
          textAnchor="middle"
          x={node.x}
          y={node.y + 4}
        >
          {node.label}
        </text>
      ) : null}
    </>
  )
}
