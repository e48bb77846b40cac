export { Disk, filesDisk } from './disk.js';
export { type DiskSpace, type DiskState, diskState, readDiskSpace } from './disk-space.js';
