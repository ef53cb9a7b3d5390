/* What functions of libraries that Wine lacks are replaced by. */

/* No object, no memory, 0, false. */
void *nothing(void) { return 0; }

/* E_NOTIMPL: the caller takes another way. */
long refuse(void) { return (long)0x80004001; }
