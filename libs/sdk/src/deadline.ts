/**
 * Aborts when the time is over or the caller's own signal aborts. `AbortSignal.any` with `AbortSignal.timeout` would do so too,
 * but Node 20 holds both weakly: after a garbage collection the timeout never fires.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: ReturnType<typeof setTimeout>;
  private readonly follow = () => this.controller.abort(this.caller?.reason);

  constructor(
    ms: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.timer = setTimeout(() => this.controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
    if (caller?.aborted) this.follow();
    else caller?.addEventListener('abort', this.follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.follow);
  }
}
