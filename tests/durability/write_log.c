/* Keeps every write, cut, sync, removal and renaming of files below a folder in a log, in order. Loaded before
 * the C library (LD_PRELOAD); BLOTLIGHT_WATCHED names the folder, BLOTLIGHT_WRITES the log.
 *
 * A record is a line `KIND OFFSET LENGTH PATH [TARGET]` and, for a write, LENGTH bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_watched(const char *path) {
  const char *folder = getenv("BLOTLIGHT_WATCHED");
  return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, 4000);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_watched(path);
}

static void note(char kind, const char *path, const char *target, const void *data, size_t length, off_t at) {
  static int log = -1;
  if (log < 0) log = syscall(SYS_openat, AT_FDCWD, getenv("BLOTLIGHT_WRITES"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  char head[8400];
  int size = snprintf(head, sizeof head, "%c %lld %zu %s%s%s\n", kind, (long long)at, length, path,
                      target ? "\t" : "", target ? target : "");
  struct iovec parts[2] = {{head, size}, {(void *)data, data ? length : 0}};
  syscall(SYS_writev, log, parts, 2);
}

static void note_write(int fd, const void *data, ssize_t written, off_t at) {
  char path[4096];
  if (written > 0 && path_of(fd, path)) note('W', path, NULL, data, written, at);
}

ssize_t write(int fd, const void *data, size_t length) {
  struct stat found;
  off_t at = (fcntl(fd, F_GETFL) & O_APPEND) && fstat(fd, &found) == 0 ? found.st_size : lseek(fd, 0, SEEK_CUR);
  ssize_t written = REAL(write)(fd, data, length);
  note_write(fd, data, written, at);
  return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
  ssize_t written = REAL(pwrite)(fd, data, length, at);
  note_write(fd, data, written, at);
  return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) {
  ssize_t written = REAL(pwrite64)(fd, data, length, at);
  note_write(fd, data, written, at);
  return written;
}

static int noted(int result, char kind, int fd, off_t at) {
  char path[4096];
  if (result == 0 && path_of(fd, path)) note(kind, path, NULL, NULL, 0, at);
  return result;
}

int ftruncate(int fd, off_t size) { return noted(REAL(ftruncate)(fd, size), 'T', fd, size); }
int ftruncate64(int fd, off64_t size) { return noted(REAL(ftruncate64)(fd, size), 'T', fd, size); }
int fsync(int fd) { return noted(REAL(fsync)(fd), 'S', fd, 0); }
int fdatasync(int fd) { return noted(REAL(fdatasync)(fd), 'S', fd, 0); }

int unlink(const char *path) {
  int result = REAL(unlink)(path);
  if (result == 0 && is_watched(path)) note('U', path, NULL, NULL, 0, 0);
  return result;
}

int rename(const char *path, const char *target) {
  int result = REAL(rename)(path, target);
  if (result == 0 && is_watched(path)) note('R', path, target, NULL, 0, 0);
  return result;
}
