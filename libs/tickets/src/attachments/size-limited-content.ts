/** Bytes on their way, counted; `refuse` says no when there are too many, before the next byte is passed on. */
export class SizeLimitedContent implements AsyncIterable<Uint8Array> {
  size = 0;
  /** What went wrong with the content itself, as told apart from what went wrong with keeping it. */
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
