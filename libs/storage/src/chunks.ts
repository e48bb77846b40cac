/** Bytes in pieces of one size, the last one shorter; nothing at all is one empty piece. Holds one piece at a time. */
export async function* splitIntoChunks(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(size);
  let filled = 0;
  let sent = 0;
  for await (const chunk of content) {
    for (let rest = chunk; rest.length > 0;) {
      if (filled === size) {
        yield part;
        sent++;
        part = new Uint8Array(size);
        filled = 0;
      }
      const piece = rest.subarray(0, size - filled);
      part.set(piece, filled);
      filled += piece.length;
      rest = rest.subarray(piece.length);
    }
  }
  if (filled > 0 || sent === 0) yield part.subarray(0, filled);
}
