/**
 * Which modules share a file. Without these groups the frame of every page is 43 files, and 8 kB
 * larger, because each file is compressed by itself. Modules that are not named here go to files by
 * the pages that use them.
 */

/** Libraries and parts that every page needs, also the doors. */
const LIBRARIES = 'react|react-dom|scheduler|@tanstack'
/** Parts of the libraries that few pages need. */
const RARE = 'queriesObserver|useQueries|infiniteQueryObserver|useInfiniteQuery'
const SDK = 'api|client/(?!lines|open-stream|sse)|base/|generated/'
const DATA = 'client|console-api|pause|queries|query-client|ask-again|use-action|new-key'
const CONTROLS =
  'provider|toast|toast-store|tooltip|tooltip-layer|tooltip-store|button|button-classes|kbd|spinner|link-element|cx|notice|tone|field|field-texts|input-classes|text-field'

const BASE = new RegExp(
  [
    `node_modules/(${LIBRARIES})/(?!.*(${RARE}))`,
    'rolldown/runtime',
    'node_modules/@base-ui/react/(esm/)?csp-provider',
    'node_modules/lucide-react/dist/esm/icons/(lock|check|x|key-round|circle-exclamation-point|chevron-right|arrow-right)\\.',
    `packages/sdk/src/(${SDK})`,
    `console/src/(app/|router/|page/(error-notice|use-title)|generated/console-api|data/(${DATA})\\.|words/(errors|time)\\.|ui/(create-icon|${CONTROLS})\\.)`,
  ].join('|'),
)

/** The rail, the bars, the keys and the live updates of every page behind the doors. */
const LAZY_LAYERS =
  'palette\\.|palette-body|palette-commands|shortcut-list|ask-again|prove-form|approval-watcher|recent-commands'
const FRAME_ICONS =
  'book-open|bot|circle-question-mark|credit-card|ellipsis|flask-conical|gauge|inbox|list|log-out|moon|plug|power|receipt-text|search|settings|shield-check|store|sun|sun-moon|user-round|wallet'

/** Parts that a third of the pages use. Each by itself is a file of a few hundred bytes. */
const COMMON_UI =
  'page-header|skeleton|copy-button|badge|card|table|empty|use-width|move-focus|description-list|segmented|tag|use-media|chip'
const COMMON_ICONS =
  'copy|chevron-down|arrow-down|arrow-up|ban|plus|hourglass|triangle-exclamation-point|flag|pencil|undo-2|clock|anchor|send|archive|bookmark|play|download|pause|minus|trash|chevron-up'

const FRAME = new RegExp(
  [
    `console/src/shell/(?!${LAZY_LAYERS})`,
    'console/src/(keys/|places/|theme/use-theme|data/(stream/|session|notify)|parts/when|words/(text|roles)\\.)',
    'console/src/ui/(menu|popup-trigger|later|use-delayed|icon-button)\\.',
    `console/src/(ui/(${COMMON_UI})|parts/(curl|agent-chip|id|amount|copy-curl|status-badge|path-icon)|words/(words|money|windows|ids|zoned-time))\\.`,
    `node_modules/lucide-react/dist/esm/icons/(${COMMON_ICONS})\\.`,
    `node_modules/lucide-react/dist/esm/icons/(${FRAME_ICONS})\\.`,
  ].join('|'),
)

/** The findings of a decision, for the drawer of a transaction, the simulator and the editor. */
const FINDINGS =
  /console\/src\/(words\/(findings|hours|verdict)|parts\/(rule-findings|verdict|ratio-bar))\./
/** Why a spend was decided so, for the drawer of a transaction and the simulator. */
const WHY =
  /console\/src\/(words\/(next-options|differences)|parts\/why\/(would-pass|decision-rules))\./
/** A mandate in words. */
const MANDATE =
  /console\/src\/(words\/(rule-words|mandate-words)|parts\/words\/(mandate-words|sentence))\./
/** Fields that few forms have beside the editor of mandates. */
const FIELDS =
  /console\/src\/(ui\/(native-select|number-field|number-text|text-area|money-field|money-text)|parts\/choices)\./
/** A long list. */
const LIST = /console\/src\/(ui\/(virtual-|use-virtual|row-slots))/

/** A group of its own takes no module that it imports, because other pages need those without it. */
const alone = { includeDependenciesRecursively: false }

export const CHUNK_GROUPS = [
  { name: 'base', test: BASE, priority: 2 },
  { name: 'frame', test: FRAME, priority: 1 },
  { name: 'findings', test: FINDINGS, ...alone },
  { name: 'why', test: WHY, ...alone },
  { name: 'mandate', test: MANDATE, ...alone },
  { name: 'fields', test: FIELDS, ...alone },
  { name: 'list', test: LIST, ...alone },
]
