/* Records calls into a compute pass: the loop of recorder.py without an interpreter between the calls, which takes longer than they do. It
   uses neither Python nor a C library, so that one build serves all versions of both. packaging/recorder.py compiles it; without it
   recorder.py makes the calls itself. */

#include <stddef.h>
#include <stdint.h>

/* Raised with every change of what follows; compiled.py has the number that it was written for. */
#define VERSION 1

enum { SET_PIPELINE, SET_BIND_GROUP, DISPATCH };

struct call {
    void *object;   /* pipeline or bind group */
    uint32_t kind;
    uint32_t x;     /* index of the bind group, or workgroups in x */
    uint32_t y, z;  /* workgroups */
};

/* webgpu.h's functions, as the loaded library has them. */
struct functions {
    void (*set_pipeline)(void *pass, void *pipeline);
    void (*set_bind_group)(void *pass, uint32_t index, void *group, size_t offset_count, const uint32_t *offsets);
    void (*dispatch)(void *pass, uint32_t x, uint32_t y, uint32_t z);
};

uint32_t lightloom_record_version(void) { return VERSION; }

void lightloom_record(void *pass, const struct call *calls, size_t count, const struct functions *functions)
{
    for (const struct call *call = calls; call != calls + count; call++) {
        switch (call->kind) {
        case SET_PIPELINE:
            functions->set_pipeline(pass, call->object);
            break;
        case SET_BIND_GROUP:
            functions->set_bind_group(pass, call->x, call->object, 0, NULL);
            break;
        default:
            functions->dispatch(pass, call->x, call->y, call->z);
        }
    }
}
