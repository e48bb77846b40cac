import { setTimeout as pause } from 'node:timers/promises';

/** One save of an editor is several events, and one build many files. */
const SETTLES_MS = 100;

/** Files that have changed, handed over in one go once it is quiet. */
export class SourceChanges {
  private readonly files = new Set<string>();
  private wake: () => void = () => undefined;
  private some = this.nextWake();

  add(files: Iterable<string>): void {
    for (const file of files) this.files.add(file);
    if (this.files.size > 0) this.wake();
  }

  async next(): Promise<string[]> {
    await this.some;
    await pause(SETTLES_MS);
    this.some = this.nextWake();
    const files = [...this.files];
    this.files.clear();
    return files;
  }

  private nextWake(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}
