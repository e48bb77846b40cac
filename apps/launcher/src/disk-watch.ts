import fs from 'node:fs';
import { UserFacingError, printProgress } from './terminal.js';

const LOOK_EVERY_MS = 5_000;
const MIB = 1024 * 1024;
/** PostgreSQL keeps a few 16 MiB files of its write-ahead log open. */
const FULL_BYTES = 64 * MIB;

/**
 * Says when the disk of the data becomes full, and when there is room again. The product goes on, and answers reads. Rejects when
 * the data is taken away, and otherwise never settles.
 */
export function watchDisk(folder: string, say: (sentence: string) => void = printProgress): Promise<never> {
  let wasFull = false;
  const look = (): void => {
    const left = freeBytes(folder);
    const isFull = left < FULL_BYTES;
    if (isFull && !wasFull)
      say(
        `disk full: ${Math.floor(left / MIB)} MiB left for ${folder}; changes are answered with 503 until there is room`,
      );
    if (!isFull && wasFull) say(`there is room again for ${folder}`);
    wasFull = isFull;
  };
  look();
  return new Promise((_never, reject) => {
    const timer = setInterval(() => {
      try {
        look();
      } catch (error) {
        clearInterval(timer);
        reject(error);
      }
    }, LOOK_EVERY_MS).unref();
  });
}

export const isDiskFull = (folder: string): boolean => freeBytes(folder) < FULL_BYTES;

function freeBytes(folder: string): number {
  if (!fs.existsSync(folder))
    throw new UserFacingError(`${folder} is gone, and with it the data: stopping. Put it back, and start again.`);
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}
