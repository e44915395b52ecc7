/**
 * Which modules share a file. Without these groups the frame of every page is 43 files, and 8 kB
 * larger, because each file is compressed by itself. Modules that are not named here go to files by
 * the pages that use them.
 */

/** Libraries and parts that every page needs, also the doors. */
const LIBRARIES = 'react|react-dom|scheduler|use-sync-external-store|@tanstack'
/** Parts of the libraries that few pages need. */
const RARE =
  'queriesObserver|useQueries|infiniteQueryObserver|useInfiniteQuery|useBlocker|useLocation'
const SDK = 'api|client/(?!lines|open-stream|sse)|base/|generated/'
const DATA = 'client|console-api|queries|query-client|ask-again|use-action|new-key'
const CONTROLS =
  'provider|toast|toast-store|tooltip|tooltip-layer|tooltip-store|button|button-classes|kbd|spinner|link-element|cx|notice|tone'

const BASE = new RegExp(
  [
    `node_modules/(${LIBRARIES})/(?!.*(${RARE}))`,
    'node_modules/@base-ui/react/(esm/)?csp-provider',
    'node_modules/lucide-react/dist/esm/(?!icons/)',
    'node_modules/lucide-react/dist/esm/icons/(lock|check|x|key-round)\\.',
    `packages/sdk/src/(${SDK})`,
    `console/src/(app/|page/(error-notice|use-title)|generated/console-api|data/(${DATA})\\.|words/(errors|time)\\.|ui/(${CONTROLS})\\.)`,
  ].join('|'),
)

/** The rail, the bars, the keys and the live updates of every page behind the doors. */
const LAZY_LAYERS =
  'palette\\.|palette-body|palette-commands|shortcut-list|ask-again|prove-form|approval-watcher|recent-commands'
const FRAME_ICONS =
  'book-open|bot|circle-question-mark|credit-card|ellipsis|flask-conical|gauge|inbox|list|log-out|moon|plug|power|receipt-text|search|settings|shield-check|store|sun|sun-moon|user-round|wallet'

const FRAME = new RegExp(
  [
    `console/src/shell/(?!${LAZY_LAYERS})`,
    'console/src/(keys/|places/|theme/use-theme|data/(stream/|session|notify)|parts/when|words/(text|roles)\\.)',
    'console/src/ui/(menu|popup-trigger|later|use-delayed|icon-button)\\.',
    `node_modules/lucide-react/dist/esm/icons/(${FRAME_ICONS})\\.`,
  ].join('|'),
)

export const CHUNK_GROUPS = [
  { name: 'base', test: BASE, priority: 2 },
  { name: 'frame', test: FRAME, priority: 1 },
]
