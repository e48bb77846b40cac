/** What pg itself writes values down with. */
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(this: void, value: unknown): Buffer | string | null };
  export default utils;
}
