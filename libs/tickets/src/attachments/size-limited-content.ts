/** Counts bytes of a stream. `refuse` throws on too many, before they are passed on. */
export class SizeLimitedContent implements AsyncIterable<Uint8Array> {
  size = 0;
  /** An error of the content itself, not of the storage. */
  fault: unknown;

  constructor(
    private readonly content: AsyncIterable<Uint8Array>,
    private readonly refuse: (size: number) => void,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.content) {
        this.size += chunk.length;
        this.refuse(this.size);
        yield chunk;
      }
    } catch (error) {
      this.fault = error;
      throw error;
    }
  }
}
