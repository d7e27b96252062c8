// What an action says about itself when it was not done: a sentence that stands as it is, unlike what a driver throws.

export class Plain extends Error {}
