import type { Editor } from '../use-editor.ts'
import { BacktestCard } from './backtest-card.tsx'
import type { Range } from './backtest-input.ts'
import type { TestSpend } from './test-input.ts'
import { Tester } from './tester.tsx'
import type { BacktestState } from './use-backtest.ts'
import type { Tested } from './use-tester.ts'
import { WordsCard } from './words-card.tsx'

interface BesideProps {
  readonly editor: Editor
  readonly test: TestSpend
  readonly onTest: (test: TestSpend) => void
  readonly tested: Tested
  readonly backtest: BacktestState
  readonly range: Range
  readonly onRange: (range: Range) => void
}

/** The effect of the form: the tester, the backtest and the words. */
export function Beside({ editor, test, onTest, tested, backtest, range, onRange }: BesideProps) {
  return (
    <>
      <Tester editor={editor} onTest={onTest} test={test} tested={tested} />
      <BacktestCard backtest={backtest} editor={editor} onRange={onRange} range={range} />
      <WordsCard editor={editor} />
    </>
  )
}
