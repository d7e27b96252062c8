// What was left out of a reply, in the words of its problem: those sentences that more than one reading has to say.

export const INVENTED = 'An observation that the model wrote itself was left out.'
export const INVENTED_AND_REST = 'An observation that the model wrote itself was left out, with all that follows it.'
export const INVENTED_TURN = "A turn that is not the model's to write was left out."
export const ACTION_AFTER_ANSWER = 'An action after the answer was left out and not run.'
export const SAME_ANSWER = 'The same answer again was left out.'
export const ROLE_PREFIX = 'A role prefix was left out.'
export const TEXT_AFTER_CALL = 'Text after the call was left out.'
export const TEXT_AFTER_INPUT = 'Text after the input was left out.'
export const TEXT_AFTER_ANSWER = 'Text after the answer was left out.'
export const TEXT_BEHIND_NAME = 'Text behind the name was left out.'
