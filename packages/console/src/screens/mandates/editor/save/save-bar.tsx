import type { ReactNode } from 'react'
import type { Permission } from '../../../../data/session.ts'
import { Button } from '../../../../ui/button.tsx'
import { errorSentence } from '../../../../words/errors.ts'
import { countOf } from '../../../../words/text.ts'
import { ruleName } from '../../../../words/words.ts'
import type { Editor } from '../use-editor.ts'

interface SaveBarProps {
  readonly editor: Editor
  readonly may: Permission
  readonly onDiscard: (() => void) | undefined
  readonly onSave: () => void
  readonly onReview: () => void
  /** Whether someone else has changed the mandate, and nothing was decided about it. */
  readonly isMoved: boolean
  /** The verdict of the tester, for windows where its card is out of view. */
  readonly verdict: ReactNode
}

/** The changes that are not active yet, whether they are saved, and the way to activate them. */
export function SaveBar(props: SaveBarProps) {
  const { editor, may, onDiscard, onSave, onReview, verdict } = props
  const { source, changes, save } = editor
  const isNext = source.kind === 'next'
  const nothing = isNext && changes === 0 ? 'Nothing has changed yet.' : undefined
  return (
    <div
      className="sticky bottom-0 z-3 rounded-b-4 border-t border-line bg-sheet shadow-[0_-8px_20px_-16px_rgb(19_33_45/.25)] max-tablet:bottom-14 max-tablet:rounded-none"
      data-print="none"
    >
      <div className="border-b border-line px-4 py-1.5 text-small tablet:px-6 desk:hidden">
        {verdict}
      </div>
      <div className="flex flex-wrap items-center gap-2.5 px-4 py-2.75 tablet:px-6">
        <span className="min-w-50 flex-1 text-ink-2 max-phone:basis-full" role="status">
          {isNext && changes > 0 ? (
            <>
              <b className="text-ink">{countOf(changes, 'change')}</b>{' '}
              {changes === 1 ? 'is' : 'are'} not active yet.{' '}
            </>
          ) : null}
          {props.isMoved ? (
            <b className="text-ask">Someone else changed this mandate: see the top of the form.</b>
          ) : (
            <Saved editor={editor} may={may} />
          )}
        </span>
        {onDiscard ? (
          <Button className="max-phone:flex-1" onClick={onDiscard} variant="quiet">
            Discard
          </Button>
        ) : null}
        {isNext ? null : (
          <Button
            busy={save.state === 'saving' && source.kind === 'new'}
            className="max-phone:flex-1"
            disabledReason={may.reason}
            onClick={onSave}
          >
            Save draft
          </Button>
        )}
        <Button
          className="max-phone:flex-2"
          disabledReason={may.reason ?? nothing}
          kbd={['Ctrl', 'Enter']}
          onClick={onReview}
          variant="primary"
        >
          Review and activate
        </Button>
      </div>
    </div>
  )
}

function Saved({ editor, may }: Pick<SaveBarProps, 'editor' | 'may'>): ReactNode {
  const { source, save, read, changes, isAttempted } = editor
  if (!may.isAllowed) return `${may.reason} You can try changes here; they are not saved.`
  const [problem] = Object.keys(read.problems)
  if (problem !== undefined) {
    return (
      <span className={isAttempted ? 'text-no' : ''}>
        Not saved yet: {problemText(editor, problem)}.
      </span>
    )
  }
  if (source.kind === 'new') return 'Nothing is stored yet.'
  if (save.conflict) return 'Not saved. Decide first which version to keep.'
  if (save.state === 'failed' && save.error) {
    return (
      <span className="text-no">
        Not saved. {errorSentence(save.error)}{' '}
        <button className="underline" onClick={() => void save.save()} type="button">
          Try again
        </button>
      </span>
    )
  }
  if (save.state === 'saved') {
    return source.kind === 'next' && changes === 0 && !save.stored
      ? 'No changes yet.'
      : 'Saved as a draft.'
  }
  return 'Saving …'
}

/** "“Vendors” needs a value". */
function problemText({ form }: Editor, key: string): string {
  const [id] = key.split('/')
  const rule = form.rules.find((one) => one.id === id)
  if (rule) return `“${ruleName(rule.type)}” needs a value`
  return key === 'name' ? 'the name is missing' : 'the budget needs an amount'
}
