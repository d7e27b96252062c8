// Where records lie in a working directory, for whoever writes them and whoever looks for them.

export const RECORDS = '.saydo'
export const RUNS = `${RECORDS}/runs`
