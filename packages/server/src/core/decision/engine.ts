/**
 * The number of the judging code. Whoever changes what is answered to the same inputs raises it: then
 * a decision that is judged again says by which code it was made. A test compares the answers to a
 * thousand stored inputs and fails when they change and this does not.
 */
export const ENGINE = 4
