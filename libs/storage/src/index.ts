export { type ByteRange, type FileKey, FileStore, ReserveReached, type SaveOptions } from './file-store.js';
export { SizeLimitedContent } from './size-limited-content.js';
export { StorageModule } from './storage.module.js';
export { type DiskSpace, Disk, diskState, filesDisk, readDiskSpace } from './disk.js';
