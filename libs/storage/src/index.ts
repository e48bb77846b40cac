export { BucketStore } from './bucket-store.js';
export { type ByteRange, type FileKey, FileStore, ReserveReached, type SaveOptions } from './file-store.js';
export { FolderStore } from './folder-store.js';
export { StorageModule } from './storage.module.js';
export { type DiskSpace, type DiskState, diskState, readDiskSpace } from './disk-space.js';
export { Disk, filesDisk } from './disk.js';
