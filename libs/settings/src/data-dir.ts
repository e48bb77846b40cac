export const DEFAULT_DATA_DIR = '.data';
