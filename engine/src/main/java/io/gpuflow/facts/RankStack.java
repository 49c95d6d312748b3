package io.gpuflow.facts;

/**
 * Where the main thread of a process stood when somebody took its Python stack.
 *
 * @param rank its rank, or null when not known
 * @param pid its process, or null when not known
 * @param at collective, device (waits for the GPU, for whatever reason), data (waits for its data
 *     workers), storage, start (of the process group) or program
 * @param call the library's function that makes it so, such as all_reduce, or null
 * @param where the innermost line of the program, {@code train.py:88 in train_step}, or null
 */
public record RankStack(Integer rank, Integer pid, String at, String call, String where)
        implements Fact {}
