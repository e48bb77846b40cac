/**
 * Waits until `probe` neither throws nor returns false, and returns its result. For presence only: a later event shows
 * that something did not happen.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { withinMs = 10_000 } = {},
): Promise<Exclude<T, false | undefined>> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      const value = await probe();
      if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
      if (Date.now() > end) throw new Error(`Not so within ${withinMs} ms: ${probe.toString()}`);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
