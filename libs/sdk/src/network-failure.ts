/** There was no whole answer: the server could not be reached, or the connection ended, or it took too long. `cause` says which. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure';

  constructor(cause: unknown) {
    super(`No answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }

  /** Only of what asks the network: anything else that fails does so again. */
  static async of<T>(asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (error) {
      throw new NetworkFailure(error);
    }
  }
}
