export { BucketStore } from './bucket-store.js';
export { type ByteRange, type FileKey, FileStore, ReserveReached, type SaveOptions } from './file-store.js';
export { FolderStore } from './folder-store.js';
export { StorageModule } from './storage.module.js';
