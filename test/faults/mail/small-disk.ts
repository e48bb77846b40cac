import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A file store that can be full: a file system in memory. Where none can be mounted, a folder that never is. */
export class SmallDisk {
  private constructor(
    readonly folder: string,
    readonly canBeFull: boolean,
  ) {}

  static mount(size = '1g'): SmallDisk {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder], { stdio: 'ignore' });
      const disk = new SmallDisk(folder, true);
      // Runs also if the campaign is interrupted.
      process.once('exit', () => disk.remove());
      return disk;
    } catch {
      return new SmallDisk(folder, false);
    }
  }

  async fillFor(ms: number): Promise<void> {
    this.fill(0);
    await delay(ms);
    this.makeRoom();
  }

  /** Leaves this many bytes free. */
  fill(leftBytes: number): void {
    execFileSync('fallocate', ['-l', String(this.freeBytes() - leftBytes), this.filler]);
  }

  makeRoom(): void {
    fs.rmSync(this.filler, { force: true });
  }

  freeBytes(): number {
    const { bavail, bsize } = fs.statfsSync(this.folder);
    return bavail * bsize;
  }

  private get filler(): string {
    return path.join(this.folder, 'filler');
  }

  remove(): void {
    if (!fs.existsSync(this.folder)) return;
    if (this.canBeFull) execFileSync('umount', ['--lazy', this.folder]);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
