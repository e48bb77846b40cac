/** `inspect` throws if there are too many bytes. */
export class SizeLimitedContent implements AsyncIterable<Uint8Array> {
  size = 0;
  /** An error of the content itself, not of the storage. */
  fault: unknown;

  constructor(
    private readonly content: AsyncIterable<Uint8Array>,
    private readonly inspect: (size: number, chunk: Uint8Array) => void,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.content) {
        this.size += chunk.length;
        this.inspect(this.size, chunk);
        yield chunk;
      }
    } catch (error) {
      this.fault = error;
      throw error;
    }
  }
}
