/* Makes a picture with numpy's C interface, as picamera2's libraries do: it loads only with the numpy it was
 * compiled against, or one that is compatible. */
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <string.h>

static PyObject *grey(PyObject *self, PyObject *args) {
  int width, height;
  if (!PyArg_ParseTuple(args, "ii", &width, &height)) return NULL;
  npy_intp shape[3] = {height, width, 3};
  PyObject *picture = PyArray_SimpleNew(3, shape, NPY_UINT8);
  if (picture != NULL) memset(PyArray_DATA((PyArrayObject *)picture), 128, (size_t)width * height * 3);
  return picture;
}

static PyMethodDef methods[] = {{"grey", grey, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_frames", NULL, -1, methods};

PyMODINIT_FUNC PyInit__frames(void) {
  import_array();
  return PyModule_Create(&module);
}
