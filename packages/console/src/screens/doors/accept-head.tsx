import type { ReadLinkAnswer } from '../../generated/console-api.ts'
import { ROLE_WORDS } from '../../words/roles.ts'
import { invitationSentence, withArticle } from './sentences.ts'

/** Who invites the person to which organization, or whose password the link changes. */
export function AcceptHead({ link }: { readonly link: ReadLinkAnswer | undefined }) {
  return (
    <div className="wrap-anywhere">
      <h1 className="text-[1.5rem] leading-8 font-[620] tracking-[-0.018em]">
        {link?.kind === 'invite' ? (
          <>
            Join <bdi>{link.organization}</bdi>
          </>
        ) : (
          'Set your password'
        )}
      </h1>
      <div className="mt-1 grid gap-2 text-ink-2">
        <Facts link={link} />
        <p>
          The link signs you in once. After that you sign in with{' '}
          {link?.email ? (
            <b className="text-ink">{link.email}</b>
          ) : (
            <>
              your <span className="whitespace-nowrap">e-mail</span>
            </>
          )}{' '}
          and this password.
        </p>
      </div>
    </div>
  )
}

function Facts({ link }: { readonly link: ReadLinkAnswer | undefined }) {
  if (!link) return null
  if (link.kind === 'reset') {
    return (
      <p>
        This sets a new password for <bdi>{link.name ?? link.email}</bdi> at{' '}
        <bdi>{link.organization}</bdi>. It ends all sessions, passkeys and recovery codes of this
        member.
      </p>
    )
  }
  const [first = '', ...rest] = withArticle(link.role)
  return (
    <p>
      {invitationSentence(link)} {first.toUpperCase() + rest.join('')} {ROLE_WORDS[link.role].may}.
    </p>
  )
}
