/** Nobody reads through more than this on one page; the API lists the rest. */
export const UNPAGED = { page: 1, perPage: 500, cursor: undefined } as const;
