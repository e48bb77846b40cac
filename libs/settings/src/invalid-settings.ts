/** Names every wrong setting at once, so that one restart is enough. It never shows a value. */
export class InvalidSettings extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`These settings are wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\nSee docs/configuration.md.`);
  }
}
